/** What other rooms use of mcp keys. */
export { ceilingOf, toolsOfKey } from './capabilities.ts'
