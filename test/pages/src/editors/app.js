/** Editors that other people made, each with a text; what they hold is told by `window.held`. */
import ace from 'ace-builds';
import { basicSetup, EditorView } from 'codemirror';
import CodeMirror5 from 'codemirror5';
import 'codemirror5/lib/codemirror.css';
import 'codemirror5/addon/edit/closebrackets.js';
import 'codemirror5/mode/javascript/javascript.js';
import { baseKeymap } from 'prosemirror-commands';
import { keymap } from 'prosemirror-keymap';
import { schema } from 'prosemirror-schema-basic';
import { EditorState } from 'prosemirror-state';
import { EditorView as ProseView } from 'prosemirror-view';

const at = (id) => document.getElementById(id);
const LONG = Array.from({ length: 400 }, (_, line) => `line ${line}`).join('\n');

const query = CodeMirror5(at('query'), {
  value: '{\n  books { title }\n}',
  autoCloseBrackets: true,
  mode: 'javascript',
});
const result = CodeMirror5(at('result'), { value: '{"data": 1}', readOnly: true });
const script = new EditorView({ doc: 'const tea = 1;\nbrew(tea);', extensions: [basicSetup], parent: at('script') });
const log = new EditorView({ doc: LONG, extensions: [EditorView.editable.of(false)], parent: at('log') });
const config = ace.edit(at('config'), { value: 'port = 80\nhost = "tea"' });
const letter = new ProseView(at('letter'), {
  state: EditorState.create({
    doc: schema.node('doc', null, [
      schema.node('paragraph', null, [schema.text('Dear Ada,')]),
      schema.node('paragraph', null, [schema.text('thank you.')]),
    ]),
    plugins: [keymap(baseKeymap)],
  }),
});

window.held = (name) =>
  ({
    query: () => query.getValue(),
    result: () => result.getValue(),
    script: () => script.state.doc.toString(),
    log: () => log.state.doc.toString(),
    config: () => config.getValue(),
    letter: () => letter.state.doc.textBetween(0, letter.state.doc.content.size, '\n'),
    note: () => at('note').textContent,
  })[name]();
