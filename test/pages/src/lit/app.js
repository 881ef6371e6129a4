import { html, LitElement } from 'lit';
import './city-row.js';

class WeatherApp extends LitElement {
  static properties = { cities: { state: true }, unit: { type: String } };

  constructor() {
    super();
    this.unit = 'C';
    this.cities = [
      { name: 'Lyon', celsius: 18 },
      { name: 'Oslo', celsius: 7 },
    ];
  }

  addCity(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    this.cities = [...this.cities, { name: form.get('city'), celsius: 10 }];
    event.target.reset();
  }

  render() {
    return html`
      <h1>Weather</h1>
      <button @click=${() => (this.unit = this.unit === 'C' ? 'F' : 'C')}>Switch unit</button>
      <ul id="cities">
        ${this.cities.map((city) => html`<city-row .city=${city} unit=${this.unit}></city-row>`)}
      </ul>
      <form aria-label="New city" @submit=${this.addCity}>
        <label>City <input name="city" /></label>
        <button>Add city</button>
      </form>
    `;
  }
}

customElements.define('weather-app', WeatherApp);
