const entries = [];
const ledger = {
  entries,
  record(kind, what) {
    entries.push({ kind, what });
  },
};
module.exports = { ledger };
