import { css, html, LitElement } from 'lit';

class CityRow extends LitElement {
  static styles = css`
    :host {
      display: list-item;
    }
  `;
  static properties = { city: { attribute: false }, unit: { type: String }, starred: { state: true } };

  constructor() {
    super();
    this.starred = false;
  }

  render() {
    const degrees = this.unit === 'C' ? this.city.celsius : this.city.celsius * 1.8 + 32;
    return html`
      <span class="degrees">${this.city.name}: ${degrees.toFixed(1)} °${this.unit}</span>
      <button aria-pressed=${this.starred} @click=${() => (this.starred = !this.starred)}>Star</button>
    `;
  }
}

customElements.define('city-row', CityRow);
