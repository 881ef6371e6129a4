import { Component } from 'preact';

/** The component's values besides its state. */
class Ballot {
  entries = [{ voter: 'Ada', option: 'tea' }];

  add(voter, option) {
    this.entries.push({ voter, option });
  }
}

export class Poll extends Component {
  ballot = new Ballot();
  state = { question: 'Tea or coffee?', votes: { tea: 4, coffee: 7 }, closed: false };

  vote(option) {
    this.ballot.add('somebody', option);
    this.setState(({ votes }) => ({ votes: { ...votes, [option]: votes[option] + 1 } }));
  }

  render(_, { question, votes, closed }) {
    return (
      <section aria-label="Poll">
        <h2>{question}</h2>
        <ul id="votes">
          {Object.entries(votes).map(([option, count]) => (
            <li key={option}>
              {option}: <span class="count">{count}</span>
              <button type="button" disabled={closed} aria-label={`Vote ${option}`} onClick={() => this.vote(option)}>
                Vote
              </button>
            </li>
          ))}
        </ul>
        <button type="button" onClick={() => this.setState({ closed: true })}>
          Close poll
        </button>
      </section>
    );
  }
}
