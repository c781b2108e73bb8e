import { isPrivateName } from '../../values/addresses.js';
import { parseUrl } from '../../values/url.js';

const lengthAtMost = 2000;

/** Fix for a private address. The console offers no such choice, because the operator of the server decides. */
const privateFix = 'the command "hook add --allow-private" takes one of your own network';

/**
 * Parses the URL of a hook that a person has entered, without surrounding white space. Returns a hint if it cannot be
 * called. A host name that resolves to a private address is only found at a request.
 * @param options.allowsPrivate set to allow private addresses and plain http
 */
export function parseHookUrl(
  text: string,
  { allowsPrivate }: { allowsPrivate: boolean },
): { url: string } | { hint: string } {
  const trimmed = text.trim();
  const url = parseUrl(trimmed);
  // The parser accepts `https:shop.example`, and ignores line breaks.
  if (!url || /[\s\p{Cc}]|^(?!\w+:\/\/)/u.test(trimmed))
    return { hint: 'a URL is needed, such as https://shop.example/hooks' };
  if (url.protocol === 'http:' && !allowsPrivate)
    return {
      hint: `the URL must begin with https://; plain http is for private addresses only; ${privateFix}`,
    };
  if (!['http:', 'https:'].includes(url.protocol)) return { hint: 'the URL must begin with https://' };
  if (url.username || url.password)
    return { hint: 'the URL must hold no user name and password; each request is signed instead' };
  if (!allowsPrivate && isPrivateName(url))
    return { hint: `${url.hostname} is a private address; ${privateFix}` };
  url.hash = '';
  if (url.href.length > lengthAtMost)
    return { hint: `the URL must be at most ${lengthAtMost} characters, non-ASCII ones percent-encoded` };
  return { url: url.href };
}
