// The frame is of another site than the page: 127.0.0.1 and localhost are two.
const checkout = { step: 1, items: ['Teapot', 'Cup'] };
const otherHost = location.hostname === 'localhost' ? '127.0.0.1' : 'localhost';

document.getElementById('payment').src = `http://${otherHost}:${location.port}/oopif/frame.html`;
document.getElementById('next').addEventListener('click', () => {
  checkout.step += 1;
  document.getElementById('step').textContent = checkout.step;
});
