const queue = [];
export const outbox = {
  queue,
  send(recipient, text) {
    queue.push({ recipient, text });
  },
};
