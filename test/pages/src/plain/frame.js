const deliveryMap = { zoom: 8, center: { lat: 45.76, lon: 4.84 } };

document.getElementById('zoom-in').addEventListener('click', () => {
  deliveryMap.zoom += 1;
  document.getElementById('zoom').textContent = deliveryMap.zoom;
});
