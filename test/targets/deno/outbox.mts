export const outbox = { queue: ['draft'], sent: new Map([['monday', 3]]) };
