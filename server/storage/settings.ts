/** The address and the credentials of object storage; read by every command, so that nothing is loaded here. */

/** Where objects are, as an address names it. */
export interface StoragePlace {
  readonly bucket: string
  /** "" or a text that ends with a slash. */
  readonly prefix: string
  /** Null: the one of AWS for the region. */
  readonly endpoint: string | null
  readonly region: string | null
}

/** How requests to the storage are signed. */
export interface StorageCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials. */
  readonly sessionToken: string | null
}

export type Env = Readonly<Record<string, string | undefined>>

const bucketName = /^[a-z0-9](?:[a-z0-9.-]{1,61})[a-z0-9]$/
const prefixText = /^(?:[A-Za-z0-9!_.*'()-]+\/)*[A-Za-z0-9!_.*'()-]+$/
const tokenVariables = ['AWS_SESSION_TOKEN', 'S3_SESSION_TOKEN'] as const
const known: ReadonlySet<string> = new Set(['endpoint', 'region'])

/** Reads s3://BUCKET/PREFIX?endpoint=…&region=…; a text says what is wrong with it. */
export function readStorageUrl(text: string): StoragePlace | string {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 's3:') return 'must be s3://BUCKET/PREFIX?endpoint=URL&region=REGION'
  if (url.username !== '' || url.password !== '')
    return 'must have no credentials: they belong into SVC_STORAGE_ACCESS_KEY and SVC_STORAGE_SECRET_KEY'
  if (!bucketName.test(url.host))
    return `names the bucket "${url.host}", which no S3 has: 3 to 63 of a-z, 0-9, "." and "-"`
  const prefix = url.pathname.replace(/^\/|\/$/g, '')
  if (prefix !== '' && !prefixText.test(prefix))
    return `has the prefix "${prefix}", which must be letters, digits and -_.!*'() between slashes`
  const strange = [...url.searchParams.keys()].find((name) => !known.has(name))
  if (strange !== undefined) return `has the parameter "${strange}"; known ones are endpoint and region`
  const endpoint = url.searchParams.get('endpoint')
  const parsed = endpoint === null ? null : URL.parse(endpoint)
  if (endpoint !== null && (parsed === null || !/^https?:$/.test(parsed.protocol)))
    return `has the endpoint "${endpoint}", which must be a URL such as https://s3.example.com`
  return {
    bucket: url.host,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint: endpoint === null ? null : endpoint.replace(/\/+$/, ''),
    region: url.searchParams.get('region'),
  }
}

/** The credentials of the storage: those of svc, else those of AWS; null where they are not there. */
export function credentialsOf(values: Readonly<Record<string, unknown>>, env: Env): StorageCredentials | null {
  const [own, secret] = [values['storage.accessKey'], values['storage.secretKey']]
  if (typeof own === 'string' && own !== '' && typeof secret === 'string' && secret !== '')
    return { accessKeyId: own, secretAccessKey: secret, sessionToken: null }
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env
  if (!accessKeyId || !secretAccessKey) return null
  return { accessKeyId, secretAccessKey, sessionToken: token || null }
}

/** The problems of the settings of object storage. */
export function storageProblems(
  values: Readonly<Record<string, unknown>>,
  env: Env,
  nameOf: (key: 'storage.url' | 'storage.accessKey' | 'storage.secretKey') => string,
): string[] {
  const url = values['storage.url']
  if (typeof url !== 'string' || url === '') return []
  const place = readStorageUrl(url)
  const problems = typeof place === 'string' ? [`${nameOf('storage.url')} ${place}`] : []
  const [isKey, isSecret] = [Boolean(values['storage.accessKey']), Boolean(values['storage.secretKey'])]
  if (isKey !== isSecret) {
    const [there, missing] = isKey
      ? (['storage.accessKey', 'SVC_STORAGE_SECRET_KEY'] as const)
      : (['storage.secretKey', 'SVC_STORAGE_ACCESS_KEY'] as const)
    problems.push(`${nameOf(there)} needs ${missing}`)
    return problems
  }
  const credentials = credentialsOf(values, env)
  if (credentials === null)
    problems.push(
      `${nameOf('storage.url')} needs credentials: SVC_STORAGE_ACCESS_KEY and SVC_STORAGE_SECRET_KEY, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    )
  // The client of Bun sends it whatever it is given, and every request would be refused.
  const strange = tokenVariables.find((name) => Boolean(env[name]))
  if (credentials !== null && credentials.sessionToken === null && strange !== undefined)
    problems.push(`${strange} is set and belongs to other keys than those of ${nameOf('storage.url')}; remove it`)
  return problems
}
