/** What an object of the app is to the tree. */
export type NodeKind = 'fields' | 'array' | 'map' | 'set';

/** `expand`: data with children; `text`: shown as one string (`live`: it can change while the object stays the same). */
export type Classification = { expand: NodeKind } | { text: string; live: boolean } | null;
