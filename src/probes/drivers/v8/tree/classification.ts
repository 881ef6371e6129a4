/** The role of an object of the app in the tree. `record`: a Map in which a library keeps the fields of one object. */
export type NodeKind = 'fields' | 'array' | 'map' | 'set' | 'record';

/** `expand`: data with children; `text`: shown as one string (`live`: it can change while the object stays the same). */
export type Classification = { expand: NodeKind } | { text: string; live: boolean } | null;
