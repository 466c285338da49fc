/** What other rooms use of portal. */
export { type Catalogue, isEnabled, isListed, type Listed as ListedProject, portalsOf } from './catalogue.ts'
export { keptText } from './kept-text.ts'
export { portalOf } from './service.ts'
