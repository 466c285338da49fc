/** What other rooms use of tenants. */
export { tenantSlugOf } from './find.ts'
export { chooseSlug, normalizeOrganizationName } from './names.ts'
