import { useState } from 'react';
import { record } from './event-log.js';

/** Controlled inputs: React sets back whatever did not go through its own events. */
export function ProfileForm() {
  const [profile, setProfile] = useState({ nickname: 'ada', bio: '', colour: 'green', news: false, plan: 'free' });
  const change = (event) => {
    const { name, type, checked, value } = event.target;
    const next = type === 'checkbox' ? checked : value;
    record(`change ${name}`, event, String(next));
    setProfile({ ...profile, [name]: next });
  };
  const submit = (event) => {
    event.preventDefault();
    record('save profile', event, JSON.stringify(profile));
  };
  return (
    <form aria-label="Profile" onSubmit={submit}>
      <label>
        Nickname <input name="nickname" value={profile.nickname} onChange={change} />
      </label>
      <label>
        Bio <textarea name="bio" value={profile.bio} onChange={change} />
      </label>
      <label>
        Colour{' '}
        <select name="colour" value={profile.colour} onChange={change}>
          <option value="green">Green</option>
          <option value="red">Red</option>
        </select>
      </label>
      <label>
        <input name="news" type="checkbox" checked={profile.news} onChange={change} /> Newsletter
      </label>
      {['free', 'paid'].map((plan) => (
        <label key={plan}>
          <input name="plan" type="radio" value={plan} checked={profile.plan === plan} onChange={change} /> {plan}
        </label>
      ))}
      <button type="submit">Save profile</button>
      <p id="profile">{JSON.stringify(profile)}</p>
    </form>
  );
}
