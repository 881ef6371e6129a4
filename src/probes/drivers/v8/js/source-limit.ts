/** Agents send the source of a function up to this length; one that is longer is not read at all. */
export const SOURCE_LIMIT = 8192;
