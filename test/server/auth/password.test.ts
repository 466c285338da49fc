import { describe, expect, test } from 'bun:test'
import { hashPassword, verifyPassword } from '../../../server/auth/password.ts'

const refusal = async (password: string, account = 'someone@example.com'): Promise<unknown> =>
  hashPassword(password, account).then(
    () => null,
    (error: { code: string; detail: unknown }) => [error.code, error.detail],
  )

describe('passwords', () => {
  test('a stored password is Argon2id and matches only itself', async () => {
    const hash = await hashPassword('correct horse battery', 'someone@example.com')
    expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    expect(await verifyPassword('correct horse battery', hash)).toBe(true)
    expect(await verifyPassword('correct horse batterY', hash)).toBe(false)
    expect(await verifyPassword('', hash)).toBe(false)
    expect(await verifyPassword('x'.repeat(100_000), hash)).toBe(false)
  })

  test('no account answers false, even to the decoy', async () => {
    expect(await verifyPassword('no account has this password', null)).toBe(false)
    expect(await verifyPassword('anything at all', null)).toBe(false)
  })

  test('weak ones are refused with the reason', async () => {
    expect(await refusal('short')).toEqual(['password-weak', { reason: 'it has 5 characters' }])
    expect(await refusal('x'.repeat(257))).toEqual(['password-weak', { reason: 'it has 257 characters' }])
    expect(await refusal('aaaaaaaaaaaaaaa')).toEqual(['password-weak', { reason: 'it repeats very few characters' }])
    expect(await refusal('my name is Someone!')).toEqual([
      'password-weak',
      { reason: 'it contains the name of the account' },
    ])
    expect(await refusal('пароль-двенадцать')).toBeNull()
    // What just suffices: 12 and 256 characters, four different ones, a name of three characters.
    for (const password of ['abcdefghijkl', 'abcd'.repeat(64), 'abcdabcdabcd'])
      expect(await refusal(password)).toBeNull()
    expect(await refusal('abcdefghijk')).toEqual(['password-weak', { reason: 'it has 11 characters' }])
    expect(await refusal('abcabcabcabc')).toEqual(['password-weak', { reason: 'it repeats very few characters' }])
    expect(await refusal('my name is ann', 'ann@example.com')).toBeNull()
    expect(await refusal('my name is anna', 'anna@example.com')).toEqual([
      'password-weak',
      { reason: 'it contains the name of the account' },
    ])
  })
})
