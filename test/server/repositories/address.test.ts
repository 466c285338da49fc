/** Addresses of repositories: what is read, what is refused, and the pages that they lead to. */
import { expect, test } from 'bun:test'
import { browseUrlOf, cloneUrlOf, readCloneUrl, webUrlOf } from '../../../server/repositories/address.ts'
import { SvcError } from '../../../src/errors.ts'

/** What was read, or the reason of the refusal. */
const tried = <T>(work: () => T): T | string => {
  try {
    return work()
  } catch (error) {
    if (error instanceof SvcError && error.code === 'source-refused')
      return (error.detail as { readonly reason: string }).reason
    throw error
  }
}

test('the name of a repository is what follows the host, without what hosts write around it', () => {
  const name = (text: string) => tried(() => readCloneUrl(text).fullName)
  expect(
    [
      'https://github.com/Acme/Shop.git',
      'https://github.com/acme/shop',
      'https://github.com/acme/shop/',
      'https://git.example.com/scm/acme/shop.git',
      'https://git.example.com/group/sub/shop',
      'https://git.example.com/srv/shop/.git',
      'https://git.example.com/acme/my%20shop.git',
      // No escape of a URL, so that it means itself.
      'https://git.example.com/acme/%zz.git',
    ].map(name),
  ).toEqual([
    'acme/shop',
    'acme/shop',
    'acme/shop',
    'acme/shop',
    'group/sub/shop',
    'srv/shop',
    'acme/my shop',
    'acme/%zz',
  ])
  expect(readCloneUrl('https://git.example.com:8443/Acme/Shop.git/')).toEqual({
    host: 'git.example.com:8443',
    origin: 'https://git.example.com:8443',
    fullName: 'acme/shop',
    cloneUrl: 'https://git.example.com:8443/Acme/Shop.git',
  })
})

test('an address that is not one of https, has a query or names nothing is refused', () => {
  const refused = (text: string) => tried(() => readCloneUrl(text))
  expect([
    refused('ssh://git@github.com/acme/shop.git'),
    refused('https://github.com/acme/shop?x=1'),
    refused('https://github.com/.git'),
  ]).toEqual([
    'repositories are registered by their https address',
    'it has a query',
    'it names no repository on the host',
  ])
})

test('the address by a name: of Bitbucket Data Center below /scm, of no other host', () => {
  const of = (provider: 'github' | 'bitbucket' | 'gitlab', origin: string, name = 'acme/shop') =>
    tried(() => cloneUrlOf(provider, origin, name))
  expect([
    of('github', 'https://github.com'),
    of('gitlab', 'https://gitlab.com', ' group/sub/shop.git '),
    of('bitbucket', 'https://bitbucket.org'),
    of('bitbucket', 'https://git.example.com'),
    of('github', 'https://git.example.com'),
  ]).toEqual([
    'https://github.com/acme/shop.git',
    'https://gitlab.com/group/sub/shop.git',
    'https://bitbucket.org/acme/shop.git',
    'https://git.example.com/scm/acme/shop.git',
    'https://git.example.com/acme/shop.git',
  ])
  for (const name of ['shop', '', 'acme/', '/shop', 'acme/..', './shop', 'acme/sh?op', 'acme/shop#x', 'a//b'])
    expect([name, of('github', 'https://github.com', name)]).toEqual([name, 'it is not OWNER/NAME'])
})

test('pages of a repository and of a file, as each host has them', () => {
  const data = 'https://git.example.com/scm/acme/shop.git'
  const plain = 'https://git.example.com/acme/shop.git'
  const scm = 'https://github.com/scm/shop.git'
  expect([webUrlOf('github', plain), webUrlOf('github', scm), webUrlOf('bitbucket', data)]).toEqual([
    'https://git.example.com/acme/shop',
    'https://github.com/scm/shop',
    null,
  ])
  const page = (provider: 'github' | 'bitbucket' | 'gitlab', url: string) =>
    browseUrlOf(provider, url, 'abc', 'a b/c#.yaml')
  expect([page('github', plain), page('gitlab', plain), page('bitbucket', plain), page('bitbucket', data)]).toEqual([
    'https://git.example.com/acme/shop/blob/abc/a%20b/c%23.yaml',
    'https://git.example.com/acme/shop/-/blob/abc/a%20b/c%23.yaml',
    'https://git.example.com/acme/shop/src/abc/a%20b/c%23.yaml',
    null,
  ])
})
