// A desktop app: state and handlers in the main process, a window with a frame of another site. Told what to do by HTTP.
const http = require('node:http');
const { app, BrowserWindow, ipcMain, webContents } = require('electron');

const settings = { theme: 'dark', windows: 0 };

class Notes {
  #edits = 0;
  constructor() {
    this.list = ['milk'];
  }
  add(text) {
    this.#edits++;
    this.list.push(text);
    return this.list.length;
  }
  editCount() {
    return this.#edits;
  }
  remove(index) {
    if (!(index in this.list)) throw new RangeError('there is no such note');
    this.list.splice(index, 1);
  }
}

const notes = new Notes();
ipcMain.handle('notes:add', (event, text) => [`${notes.add(text)} notes`, event.sender.id]);

const pages = {
  '/': (port) => `<title>Desk</title><h1 id="title">Desk</h1><script>var count = 3</script>
    <iframe src="http://localhost:${port}/frame"></iframe>`,
  '/frame': () => '<title>Frame</title><script>var inFrame = 7</script>',
  '/second': () => '<title>Second</title><h1>Second</h1>',
};

async function openWindow(path) {
  const window = new BrowserWindow({ width: 400, height: 300 });
  settings.windows++;
  window.on('closed', () => settings.windows--);
  await window.loadURL(`http://127.0.0.1:${server.address().port}${path}`);
  return window.webContents.id;
}

const contentsOf = (id) => webContents.fromId(Number(id));

const commands = {
  open: () => openWindow('/second'),
  debug: (id) => contentsOf(id).debugger.attach('1.3'),
  undebug: (id) => contentsOf(id).debugger.detach(),
  minimize: (id) => BrowserWindow.fromWebContents(contentsOf(id)).minimize(),
  traces: () => ({
    debuggers: webContents.getAllWebContents().map((contents) => contents.debugger.isAttached()),
    listeners: webContents
      .getAllWebContents()
      .flatMap((contents) => [contents, contents.debugger])
      .map((emitter) => emitter.eventNames().map((name) => `${String(name)} ${emitter.listenerCount(name)}`)),
    created: app.listenerCount('web-contents-created'),
    globals: Object.keys(globalThis).sort(),
  }),
};

const server = http.createServer(async (request, response) => {
  const [, first, argument] = request.url.split('/');
  try {
    if (commands[first]) response.end(JSON.stringify((await commands[first](argument)) ?? null));
    else response.setHeader('content-type', 'text/html').end(pages[request.url]?.(server.address().port) ?? '');
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});

app.on('window-all-closed', () => {});
server.listen(0, '127.0.0.1', async () => {
  await app.whenReady();
  await openWindow('/');
  console.log(`ready ${server.address().port}`);
});
