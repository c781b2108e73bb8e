import type { Feature } from '../feature.js';
import { wooPluginPart } from './consolePart.js';

/** A plugin for WordPress with the team's values, which does all that the recipe for WooCommerce does by hand. */
export const wooPlugin: Feature = { name: 'wooPlugin', console: wooPluginPart };
