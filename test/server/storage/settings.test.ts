import { expect, test } from 'bun:test'
import { readConfig } from '../../../server/config.ts'
import { readStorageUrl } from '../../../server/storage/settings.ts'
import { SvcError } from '../../../src/errors.ts'

test('an address of the storage names bucket, prefix, endpoint and region', () => {
  expect(readStorageUrl('s3://svc-documents')).toEqual({
    bucket: 'svc-documents',
    prefix: '',
    endpoint: null,
    region: null,
  })
  expect(readStorageUrl('s3://svc/one/two/?endpoint=http://127.0.0.1:7070/&region=eu-central-1')).toEqual({
    bucket: 'svc',
    prefix: 'one/two/',
    endpoint: 'http://127.0.0.1:7070',
    region: 'eu-central-1',
  })
})

const problemsOf = (env: Readonly<Record<string, string>>): unknown => {
  try {
    readConfig({ env, file: null })
    return []
  } catch (error) {
    return (error as SvcError<'config-invalid'>).detail.problems
  }
}

const keys = { SVC_STORAGE_ACCESS_KEY: 'key', SVC_STORAGE_SECRET_KEY: 'secret' }

test.each([
  ['https://bucket.example.com', 'must be s3://BUCKET/PREFIX?endpoint=URL&region=REGION'],
  [
    's3://key:secret@bucket',
    'must have no credentials: they belong into SVC_STORAGE_ACCESS_KEY and SVC_STORAGE_SECRET_KEY',
  ],
  ['s3://B', 'names the bucket "B", which no S3 has: 3 to 63 of a-z, 0-9, "." and "-"'],
  ['s3://bucket/a%20b', 'has the prefix "a%20b", which must be letters, digits and -_.!*\'() between slashes'],
  ['s3://bucket?zone=x', 'has the parameter "zone"; known ones are endpoint and region'],
  [
    's3://bucket?endpoint=s3.example.com',
    'has the endpoint "s3.example.com", which must be a URL such as https://s3.example.com',
  ],
])('the address %s is refused at start by name', (url, problem) => {
  expect(problemsOf({ ...keys, SVC_STORAGE_URL: url })).toEqual([`SVC_STORAGE_URL ${problem}`])
})

test('credentials are those of svc, else those of AWS, and both halves are needed', () => {
  const url = { SVC_STORAGE_URL: 's3://bucket' }
  expect(problemsOf({ ...url, ...keys })).toEqual([])
  expect(problemsOf({ ...url, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' })).toEqual([])
  expect(problemsOf(url)).toEqual([
    'SVC_STORAGE_URL needs credentials: SVC_STORAGE_ACCESS_KEY and SVC_STORAGE_SECRET_KEY, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ])
  expect(problemsOf({ ...url, SVC_STORAGE_ACCESS_KEY: 'key' })).toEqual([
    'SVC_STORAGE_ACCESS_KEY needs SVC_STORAGE_SECRET_KEY',
  ])
  expect(problemsOf({ ...url, SVC_STORAGE_SECRET_KEY: 'secret' })).toEqual([
    'SVC_STORAGE_SECRET_KEY needs SVC_STORAGE_ACCESS_KEY',
  ])
  expect(problemsOf({ ...url, ...keys, AWS_SESSION_TOKEN: 'token' })).toEqual([
    'AWS_SESSION_TOKEN is set and belongs to other keys than those of SVC_STORAGE_URL; remove it',
  ])
  const aws = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
  expect(problemsOf({ ...url, ...aws, AWS_SESSION_TOKEN: 'token' })).toEqual([])
  expect(problemsOf({ ...url, ...aws, S3_SESSION_TOKEN: 'token' })).toEqual([
    'S3_SESSION_TOKEN is set and belongs to other keys than those of SVC_STORAGE_URL; remove it',
  ])
  expect(problemsOf({})).toEqual([])
})
