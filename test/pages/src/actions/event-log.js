/** What happened, with whether a person's input (or a debugger's) or a script did it. */
window.actionLog = [];

export function record(action, event, value = null) {
  const native = event.nativeEvent ?? event;
  window.actionLog.push({ action, trusted: native.isTrusted, value });
  const item = document.createElement('li');
  item.textContent = `${action} ${native.isTrusted ? 'trusted' : 'scripted'} ${value ?? ''}`.trim();
  document.getElementById('log').append(item);
}
