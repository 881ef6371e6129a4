window.__VERDACCIO_BASENAME_UI_OPTIONS = {
  base: `${location.origin}/third/verdaccio/`,
  basename: '/third/verdaccio/',
  protocol: 'http',
  host: location.host,
  url_prefix: '/third/verdaccio/',
  title: 'Teahouse registry',
  version: '6.0.0',
  login: true,
  pkgManagers: ['npm'],
  language: 'en-US',
  primaryColor: '#4b5e40',
  flags: {},
};
window.VERDACCIO_API_URL = window.__VERDACCIO_BASENAME_UI_OPTIONS.base;
