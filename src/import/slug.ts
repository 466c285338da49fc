import { digestText } from '../document/serialize.ts'

const longest = 100

/**
 * The slug of a name: lower-case ASCII letters, digits and hyphens, at most 100 characters. A name without any such letter gets a
 * slug made of its digest, so that equal names have equal slugs.
 */
export const slugify = (name: string): string => {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/([a-z0-9])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replaceAll(/^-+|-+$/g, '')
  return slug === '' ? `project-${digestText(name).slice('sha256:'.length, 'sha256:'.length + 8)}` : slug
}

/** The slug of a version label: as `slugify`, but dots stay, so that "1.2.0" is its own slug. */
export const slugifyVersion = (label: string): string => {
  const slug = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .slice(0, longest)
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  return slug === '' ? `version-${digestText(label).slice('sha256:'.length, 'sha256:'.length + 8)}` : slug
}
