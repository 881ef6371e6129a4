/** A widget that keeps its input in an open shadow root. */
class QuantityPicker extends HTMLElement {
  quantity = 4;

  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' });
    const label = document.createElement('label');
    const input = document.createElement('input');
    input.type = 'number';
    input.name = 'boxes';
    input.value = String(this.quantity);
    input.addEventListener('input', () => {
      this.quantity = input.valueAsNumber;
    });
    label.append(`${this.getAttribute('label')} `, input);
    root.append(label);
  }
}

customElements.define('quantity-picker', QuantityPicker);
