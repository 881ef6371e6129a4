/** Agents send the source of a function up to this length; a longer one is not analysed. */
export const SOURCE_LIMIT = 8192;
