/** The message for a part of the program that is loaded on demand: an update may have replaced the files by then. */
export const REPLACED =
  'This part of the daemon could not be loaded: its files were replaced or removed after it had started, as an update does.';
export const RESTART = 'Restart the daemon: substrate down && substrate up';
