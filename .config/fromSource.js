// For `node --import`: from here on this process can import the server's TypeScript as it stands.
import { register } from 'node:module';

// The transform calls this where a tagged template holds `</script>`, and its package is not installed.
Object.assign(globalThis, {
  babelHelpers: {
    /**
     * @param {string[]} cooked
     * @param {string[]} raw
     */
    taggedTemplateLiteral: (cooked, raw) => Object.assign(cooked, { raw }),
  },
});

register('./loadTypeScript.js', import.meta.url);
