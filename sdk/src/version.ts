/** The SDK's version, set by the build. `dev` if the source runs unbuilt. */
export const sdkVersion: string = typeof __VERSION__ === 'string' ? __VERSION__ : 'dev';
