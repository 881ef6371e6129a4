/** Stands for a server: answers from memory. */
const members = [
  { id: 1, name: 'Ada', role: 'Lead', online: true },
  { id: 2, name: 'Grace', role: 'Engineer', online: false },
];

export async function fetchTeam() {
  return structuredClone({ members, updatedAt: '2026-03-01T10:00:00.000Z' });
}

export async function promote(id) {
  const member = members.find((candidate) => candidate.id === id);
  member.role = 'Director';
  return structuredClone(member);
}
