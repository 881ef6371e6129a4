/** What an object of the app is to the tree. `record`: a Map that a library keeps the fields of one object in. */
export type NodeKind = 'fields' | 'array' | 'map' | 'set' | 'record';

/** `expand`: data with children; `text`: shown as one string (`live`: it can change while the object stays the same). */
export type Classification = { expand: NodeKind } | { text: string; live: boolean } | null;
