/** The log of events, with their origin: input of a person (or a debugger), or a script. */
window.actionLog = [];

export function record(action, event, value = null) {
  const native = event.nativeEvent ?? event;
  window.actionLog.push({ action, trusted: native.isTrusted, value });
  const item = document.createElement('li');
  item.textContent = `${action} ${native.isTrusted ? 'trusted' : 'scripted'} ${value ?? ''}`.trim();
  document.getElementById('log').append(item);
}
