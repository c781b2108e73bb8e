/** @returns true for text with the form of a team id, such as `team_01h455vb4pex5vsknk084sn02q` */
export function isTeamId(text: string): boolean {
  return /^team_[0-9a-z]{26}$/.test(text);
}

/** @returns true for the address of a server: an absolute URL, or a path of the page's own host, without query and hash */
export function isEndpoint(text: string | undefined): text is string {
  return /^(https?:\/)?\/[^?#]+$/i.test(text as string);
}
