/** What other rooms use of portal. */
export { portalOf } from './service.ts'
