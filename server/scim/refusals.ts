import { SvcError } from '../../src/errors.ts'
import { ScimFailure } from '../../src/scim/failure.ts'

/**
 * Runs what reads the message of a client.
 * @throws SvcError `scim-invalid` for what cannot be done with it
 */
export function orInvalid<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ScimFailure)
      throw new SvcError('scim-invalid', { scim_type: error.scimType, reason: error.message })
    throw error
  }
}

export const notFound = (kind: 'user' | 'group' | 'schema' | 'resource type', id: string): SvcError =>
  new SvcError('scim-not-found', { kind, id: id.slice(0, 200) })

/** What does not fit in a directory any more. */
export const fullOf = (what: 'users' | 'groups'): SvcError =>
  new SvcError('scim-invalid', { scim_type: 'tooMany', reason: `the directory has as many ${what} as it can hold` })
