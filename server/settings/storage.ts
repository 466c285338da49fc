/** The settings of object storage. */
export const storageSettings = {
  'storage.url': {
    type: 'text',
    env: 'SVC_STORAGE_URL',
    default: null,
    summary:
      'object storage for large documents, such as s3://BUCKET/PREFIX?endpoint=https://s3.example.com&region=eu-central-1; default: everything is in the database',
  },
  'storage.accessKey': {
    type: 'text',
    env: 'SVC_STORAGE_ACCESS_KEY',
    default: null,
    secret: 'all',
    replacedFrom: 'with the next request to the storage',
    summary: 'access key of the object storage; default: AWS_ACCESS_KEY_ID, with AWS_SESSION_TOKEN',
  },
  'storage.secretKey': {
    type: 'text',
    env: 'SVC_STORAGE_SECRET_KEY',
    default: null,
    secret: 'all',
    replacedFrom: 'with the next request to the storage',
    summary: 'secret key of the object storage; default: AWS_SECRET_ACCESS_KEY',
  },
  'storage.timeout': {
    type: 'duration',
    env: 'SVC_STORAGE_TIMEOUT',
    default: 30_000,
    summary: 'longest wait for the object storage, repetitions included',
  },
  'storage.cacheMb': {
    type: 'integer',
    env: 'SVC_STORAGE_CACHE_MB',
    min: 0,
    max: 16_777_216,
    default: 1024,
    summary: 'MiB of objects that are kept in the folder of the workspace; 0 keeps none',
  },
} as const
