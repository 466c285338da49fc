/** What other rooms use of teams. */
export { grantToCreator } from './access.ts'
