/** The event with which an owner tries a hook. Hooks of Slack show its message. */
export const testEvent = {
  type: 'hook.test',
  data: { message: 'This is a test by Orderbeacon. Nothing has happened.' },
} as const;
