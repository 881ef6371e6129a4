import { render } from 'preact';
import { useReducer, useState } from 'preact/hooks';
import { Poll } from './poll.jsx';

function Comments() {
  const [comments, add] = useReducer(
    (all, text) => [...all, { id: all.length + 1, text }],
    [{ id: 1, text: 'Green tea, please' }],
  );
  const [draft, setDraft] = useState('');
  return (
    <section aria-label="Comments">
      <ul id="comments">
        {comments.map((comment) => (
          <li key={comment.id}>{comment.text}</li>
        ))}
      </ul>
      <form
        aria-label="New comment"
        onSubmit={(event) => {
          event.preventDefault();
          add(draft);
          setDraft('');
        }}
      >
        <label>
          Comment <input name="comment" value={draft} onInput={(event) => setDraft(event.currentTarget.value)} />
        </label>
        <button type="submit">Add comment</button>
      </form>
    </section>
  );
}

render(
  <>
    <h1>Poll</h1>
    <Poll />
    <Comments />
  </>,
  document.getElementById('root'),
);
