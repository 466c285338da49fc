import { SvcError } from '../src/errors.ts'

/** The parts of "tenant/project/version"; without a version the latest is meant. */
export interface SpecPlace {
  readonly tenant_slug: string
  readonly project_slug: string
  readonly version_slug: string
}

/**
 * Reads the name of a specification.
 * @throws SvcError `spec-not-found` for what cannot be one
 */
export function parseSpec(text: string): SpecPlace {
  const [tenant = '', project = '', ...version] = text.split('/')
  const label = version.join('/')
  if (tenant === '' || project === '') throw new SvcError('spec-not-found', { spec: text })
  return { tenant_slug: tenant, project_slug: project, version_slug: label === '' ? 'latest' : label }
}
