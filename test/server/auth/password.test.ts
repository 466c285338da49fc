import { describe, expect, test } from 'bun:test'
import { type Derivation, hashPassword, isLike, matchPasswords } from '../../../server/auth/password.ts'

const refusal = async (password: string, account = 'someone@example.com'): Promise<unknown> =>
  hashPassword(password, account).then(
    () => null,
    (error: { code: string; detail: unknown }) => [error.code, error.detail],
  )

describe('passwords', () => {
  test('a stored password is Argon2id and matches only itself', async () => {
    const hash = await hashPassword('correct horse battery', 'someone@example.com')
    expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    expect(await Bun.password.verify('correct horse battery', hash)).toBe(true)
    for (const wrong of ['correct horse batterY', '', 'x'.repeat(100_000)])
      expect([wrong.length, await matchPasswords(wrong, [hash])]).toEqual([wrong.length, [false]])
    expect(await matchPasswords('correct horse battery', [hash])).toEqual([true])
  })

  test('what another implementation stored is read with its own parameters', async () => {
    const hash = await Bun.password.hash('correct horse battery', {
      algorithm: 'argon2id',
      memoryCost: 64,
      timeCost: 3,
    })
    expect(await matchPasswords('correct horse battery', [hash, hash.replace(/...$/, 'AAA')])).toEqual([true, false])
    const bcrypt = '$2b$04$abcdefghijklmnopqrstuuVIDvZmPqlqYJm2VVwNhEIcDJ7mDVNSq'
    const tried = matchPasswords('x', [bcrypt]).catch((error: Error) => error.message)
    expect(await tried).toBe('a stored password is not Argon2id')
  })

  test('a password is tried with one computation, however many accounts an address has', async () => {
    const first = await hashPassword('correct horse battery', 'someone@example.com')
    const second = await hashPassword('another good password', 'someone@example.com', first)
    const apart = await hashPassword('correct horse battery', 'someone@example.com')
    expect([isLike(first, second), isLike(first, apart)]).toEqual([true, false])
    const trying = async (password: string, hashes: (string | null)[]) => {
      const asked: Derivation[] = []
      await matchPasswords(password, hashes, async (_password, derivation) => {
        asked.push(derivation)
        return Buffer.alloc(derivation.length)
      })
      return asked.map(({ memory, passes, parallelism, length }) => [memory, passes, parallelism, length])
    }
    const one = [[19_456, 2, 1, 32]]
    for (const hashes of [[], [null], [first], [null, first], [first, second], [second, null, first]])
      expect([hashes.length, await trying('neither of the two', hashes)]).toEqual([hashes.length, one])
    expect(await trying('x', [first, apart, second])).toEqual([...one, ...one])
    // Nothing is computed for what is longer than any request may be.
    expect([await trying('x'.repeat(1024), [first]), await trying('x'.repeat(1025), [first])]).toEqual([one, []])
    expect(await matchPasswords('correct horse battery', [second, null, first, apart])).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(await matchPasswords('another good password', [second, null, first, apart])).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect([await matchPasswords('anything at all', []), await matchPasswords('anything', [null])]).toEqual([
      [],
      [false],
    ])
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
    for (const password of ['tuxedo8 q#ln', 'plum Kettle 91 h'.repeat(16), 'kqzkqzkqvkzv'])
      expect([password, await refusal(password)]).toEqual([password, null])
    const common = ['password-weak', { reason: 'it is one of the passwords that are tried first' }]
    for (const password of [
      '123456789012',
      'password1234',
      'Password1234!',
      'P4ssw0rd1234',
      'qwertyuiop12',
      'iloveyou1234',
      'abcdefghijkl',
      'abcdabcdabcd',
      'letmeinletmein',
      'abcd'.repeat(64),
    ])
      expect([password, await refusal(password)]).toEqual([password, common])
    // The words of the account count as common ones.
    expect(await refusal('lovelace1234', 'ada@lovelace.example')).toEqual(common)
    expect(await refusal('abc@example.com', 'abc@example.com')).toEqual(common)
    expect(await refusal('abcdefghijk')).toEqual(['password-weak', { reason: 'it has 11 characters' }])
    expect(await refusal('abcabcabcabc')).toEqual(['password-weak', { reason: 'it repeats very few characters' }])
    expect(await refusal('my name is ann', 'ann@example.com')).toBeNull()
    expect(await refusal('my name is anna', 'anna@example.com')).toEqual([
      'password-weak',
      { reason: 'it contains the name of the account' },
    ])
  })
})
