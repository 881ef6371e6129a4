import Alpine from 'alpinejs';

Alpine.store('account', { name: 'Katherine Johnson', csrfToken: 'alpine_live_5566778899aabbcc' });

Alpine.data('timesheet', () => ({
  project: 'Apollo',
  submitted: false,
  entries: [
    { day: 'Monday', hours: 8 },
    { day: 'Tuesday', hours: 6 },
  ],
  get total() {
    return this.entries.reduce((sum, entry) => sum + entry.hours, 0);
  },
  submit() {
    this.submitted = true;
  },
}));

Alpine.start();
