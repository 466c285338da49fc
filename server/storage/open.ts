import { join } from 'node:path'
import type { Objects } from '../../db/objects/store.ts'
import type { SettingValues } from '../settings/door.ts'
import { CachedObjects } from './cached-objects.ts'
import { S3Objects } from './s3-objects.ts'
import { credentialsOf, type Env, readStorageUrl } from './settings.ts'

type StorageValues = Pick<
  SettingValues,
  'storage.url' | 'storage.accessKey' | 'storage.secretKey' | 'storage.timeout' | 'storage.cacheMb'
>

/**
 * The object storage of a configuration; null where everything is in the database.
 * @param folder of the workspace, which has the copies
 */
export function objectsOf(values: StorageValues, env: Env, folder: string): Objects | null {
  const url = values['storage.url']
  const place = url ? readStorageUrl(url) : null
  if (place === null || typeof place === 'string') return null
  const store = new S3Objects({
    ...place,
    region: place.region ?? (env['AWS_REGION'] || null),
    timeoutMs: values['storage.timeout'],
    credentials: () => {
      const found = credentialsOf(values, env)
      if (found === null) throw new Error('the credentials of the storage were checked when it was configured')
      return found
    },
  })
  const bytes = values['storage.cacheMb'] * 1024 * 1024
  return bytes === 0 ? store : new CachedObjects(store, join(folder, 'objects'), bytes)
}
