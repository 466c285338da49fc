import { SvcError } from '../../src/errors.ts'
import { localTenantSlug } from '../auth/door.ts'

const slugShape = /^[a-z](?:[a-z0-9]|-(?!-)){0,61}[a-z0-9]$/

/** Words that paths of the service use, or that would mislead. */
const reserved = new Set([
  'me',
  localTenantSlug,
  'admin',
  'api',
  'app',
  'auth',
  'health',
  'login',
  'mcp',
  'new',
  'onboarding',
  'public',
  'static',
  'svc',
  'system',
  'tenants',
  'www',
])

/**
 * An organization name as it is kept: trimmed, single spaces.
 * @throws SvcError `organization-name-invalid`
 */
export function normalizeOrganizationName(text: string): string {
  const name = text.replaceAll(/\s+/g, ' ').trim()
  const refuse = (reason: string): never => {
    throw new SvcError('organization-name-invalid', { reason })
  }
  if (name === '') refuse('it is empty')
  if (name.length > 120) refuse(`it has ${name.length} characters`)
  // oxlint-disable-next-line no-control-regex -- control characters are what it refuses
  if (/[\u0000-\u001f\u007f<>]/.test(name)) refuse('it contains control characters or angle brackets')
  if (!/[\p{L}\p{N}]/u.test(name)) refuse('it has no letter or digit')
  return name
}

/** A slug made from a name; "" where nothing of it can be written in a slug. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63)
    .replace(/-+$/, '')

/**
 * The slug of a new tenant: the one given, or one made from the name when that is omitted or blank.
 * @throws SvcError `tenant-slug-invalid`
 */
export function chooseSlug(given: string | null | undefined, name: string): string {
  const slug = given === null || given === undefined || given.trim() === '' ? slugOf(name) : given.trim()
  if (!slugShape.test(slug) || reserved.has(slug)) throw new SvcError('tenant-slug-invalid', { slug: slug || name })
  return slug
}
