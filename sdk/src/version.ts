/** The SDK's version from package.json, which the build puts in; `dev` when the source runs unbuilt. */
export const sdkVersion = typeof __VERSION__ === 'string' ? __VERSION__ : 'dev';
