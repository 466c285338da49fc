import { join } from 'node:path'
import type { DatabaseTarget } from '../../db/open.ts'
import type { SettingValues } from '../settings/door.ts'
import type { KeySource } from './keys.ts'

/**
 * Where the keys of stored secrets are: in the settings, else, for a local workspace, in `secret.key` beside the database.
 * Replicas on Postgres need the same keys, so that there is no default for them.
 */
export function keySourceOf(values: SettingValues, folder: string, target: DatabaseTarget): KeySource {
  const { secretKey } = values
  if (secretKey !== null && secretKey !== '')
    return {
      kind: 'given',
      get keys() {
        return values.secretKey ?? secretKey
      },
    }
  return target.kind === 'sqlite' ? { kind: 'file', path: join(folder, 'secret.key') } : { kind: 'none' }
}
