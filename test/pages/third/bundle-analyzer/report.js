const part = (label, size, groups) => ({
  label,
  path: `./${label}`,
  statSize: size,
  parsedSize: Math.round(size / 2),
  gzipSize: Math.round(size / 6),
  ...(groups ? { groups } : {}),
});

window.enableWebSocket = false;
window.chartData = [
  { ...part('main.js', 96_000, [part('cart.js', 60_000), part('checkout.js', 36_000)]), isAsset: true },
  { ...part('vendor.js', 240_000, [part('react-dom', 180_000), part('immutable', 60_000)]), isAsset: true },
];
window.chartData[0].isInitialByEntrypoint = { main: true };
window.chartData[1].isInitialByEntrypoint = { main: true };
window.entrypoints = ['main'];
window.defaultSizes = 'parsed';
window.compressionAlgorithm = 'gzip';
