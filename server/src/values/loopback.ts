/** True for a host name or address of the machine itself, as a URL has it: `localhost`, `*.localhost`, `127.*` or `[::1]`. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.');
}
