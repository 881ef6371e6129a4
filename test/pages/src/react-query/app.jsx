import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { fetchTeam, promote } from './team.js';

const TEAM = ['team', { page: 1 }];

function Team() {
  const client = useQueryClient();
  const { data, status } = useQuery({ queryKey: TEAM, queryFn: fetchTeam, staleTime: Infinity });
  const promotion = useMutation({
    mutationFn: promote,
    onSuccess: () => client.invalidateQueries({ queryKey: ['team'] }),
  });
  if (status !== 'success') return <p>Loading</p>;
  return (
    <ul id="team">
      {data.members.map((member) => (
        <li key={member.id}>
          {member.name}, <span className="role">{member.role}</span>
          <button type="button" aria-label={`Promote ${member.name}`} onClick={() => promotion.mutate(member.id)}>
            Promote
          </button>
        </li>
      ))}
    </ul>
  );
}

createRoot(document.getElementById('root')).render(
  <QueryClientProvider client={new QueryClient()}>
    <h1>Team</h1>
    <Team />
  </QueryClientProvider>,
);
