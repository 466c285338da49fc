import { expect, test } from 'bun:test'
import { GitHosts, parseGitHosts } from '../../../server/hosting/hosts.ts'
import { SvcError } from '../../../src/errors.ts'

test('SVC_GIT_HOSTS maps hosts to providers', () => {
  const cases: readonly [string, unknown][] = [
    ['', []],
    ['git.example.com=gitlab', [{ host: 'git.example.com', scheme: 'https', provider: 'gitlab' }]],
    [
      ' GIT.Example.com:8443 = github , http://10.0.0.1=bitbucket',
      [
        { host: 'git.example.com:8443', scheme: 'https', provider: 'github' },
        { host: '10.0.0.1', scheme: 'http', provider: 'bitbucket' },
      ],
    ],
    ['127.0.0.1:3000=gitlab', [{ host: '127.0.0.1:3000', scheme: 'http', provider: 'gitlab' }]],
    ['git.example.com=gitea', null],
    ['git.example.com', null],
    ['=gitlab', null],
    ['user@git.example.com=gitlab', null],
    ['git.example.com/path=gitlab', null],
  ]
  for (const [text, hosts] of cases) expect([text, parseGitHosts(text)]).toEqual([text, hosts as never])
})

test('the host of an account is stored in one form, and one that runs another provider is refused', () => {
  const hosts = new GitHosts(parseGitHosts('git.example.com=gitlab,http://plain.example.com=github') ?? [])
  const read = (...given: Parameters<GitHosts['read']>): string => {
    try {
      return hosts.read(...given)
    } catch (error) {
      return error instanceof SvcError ? String((error.detail as { reason?: string }).reason) : 'a bug'
    }
  }
  expect([
    read('github', null),
    read('bitbucket', null),
    read('gitlab', 'GIT.example.com:443'),
    read('github', 'git.example.com'),
    read('gitlab', 'github.com'),
    read('github', 'own.example.com'),
    read('github', 'http://own.example.com'),
    read('github', 'plain.example.com'),
    read('github', 'http://plain.example.com'),
    read('github', 'a b'),
    read('github', 'localhost:3000'),
  ]).toEqual([
    'github.com',
    'bitbucket.org',
    'git.example.com',
    'it runs gitlab, not github',
    'it runs github, not gitlab',
    'own.example.com',
    'it is reached by https',
    'it is reached by http',
    'plain.example.com',
    'it is not HOST or HOST:PORT',
    'localhost:3000',
  ])
  expect([hosts.originOf('plain.example.com'), hosts.originOf('github.com'), hosts.originOf('127.0.0.1:1')]).toEqual([
    'http://plain.example.com',
    'https://github.com',
    'http://127.0.0.1:1',
  ])
})
