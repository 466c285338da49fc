import { expect, test } from 'bun:test'
import { ScimFailure } from '../../../src/scim/failure.ts'
import { exactText, fitsFilter, parseFilter } from '../../../src/scim/filter.ts'
import { groupSchema, userSchema } from '../../../src/scim/resource.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const user = {
  id: 'A1',
  userName: 'Ann@Example.com',
  externalId: 'Ext-1',
  active: true,
  title: '',
  name: { familyName: "O'Hara", givenName: 'Ann' },
  emails: [
    { value: 'ann@example.com', type: 'work', primary: true },
    { value: 'ann@home.example', type: 'home' },
  ],
  meta: { lastModified: '2026-05-05T12:00:00.000Z' },
  [enterprise]: { department: 'R&D' },
}
const fits = (filter: string): boolean => fitsFilter(parseFilter(userSchema, filter), user)

test('every operator of RFC 7644, section 3.4.2.2', () => {
  const yes = [
    'userName eq "ann@example.com"',
    'USERNAME Eq "ANN@EXAMPLE.COM"',
    'userName ne "bob"',
    'name.familyName co "hara"',
    'userName sw "ann"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName ew ".com"',
    'meta.lastModified gt "2011-05-13T04:42:34Z"',
    'meta.lastModified ge "2026-05-05T12:00:00.000Z"',
    'meta.lastModified lt "2027-01-01T00:00:00Z"',
    'meta.lastModified le "2026-05-05T12:00:00.000Z"',
    'name pr and userName pr',
    'not (title pr)',
    'active eq true',
    'active eq "True"',
    'active eq True',
    'nickName eq null',
    'nickName ne "x"',
    'emails eq "ann@home.example"',
    'emails.type eq "home"',
    'emails[type eq "work" and value co "@example.com"]',
    'emails[type eq "home" and not (primary eq true)]',
    `${enterprise}:department eq "r&d"`,
    'userName eq "x" or (active eq true and (title pr or name.givenName eq "ann"))',
    'externalId eq "Ext-1"',
  ]
  const no = [
    'externalId eq "ext-1"',
    'emails[type eq "work" and value co "home"]',
    'userName eq "x" and active eq true or title pr',
    'active eq false',
    'emails.type ne "home"',
  ]
  expect([yes.filter((it) => !fits(it)), no.filter(fits)]).toEqual([[], []])
})

test('"and" binds more strongly than "or", and what is no filter says why', () => {
  expect(fits('active eq true or userName eq "x" and title pr')).toBe(true)
  const reason = (filter: string): string => {
    try {
      parseFilter(userSchema, filter)
      return 'read'
    } catch (error) {
      return error instanceof ScimFailure ? `${error.scimType}: ${error.message}` : String(error)
    }
  }
  expect(
    [
      'userName',
      'userName is "x"',
      'userName eq x',
      'userName eq "x',
      'shoe eq "x"',
      'userName eq "x" userName eq "y"',
      '(userName pr',
      'emails[type eq "work"',
      'userName[type eq "work"]',
      `${'('.repeat(50)}userName pr${')'.repeat(50)}`,
      `userName eq "${'x'.repeat(5000)}"`,
    ].map(reason),
  ).toEqual([
    'invalidFilter: an operator is missing at its end',
    'invalidFilter: "is" is no operator; it is one of eq, ne, co, sw, ew, gt, ge, lt, le, pr',
    'invalidFilter: "x" is no value; texts are in double quotes',
    'invalidFilter: it cannot be read at character 12',
    'invalidFilter: "shoe" is no attribute of this resource',
    'invalidFilter: it goes on after its end; join conditions with "and" or "or"',
    'invalidFilter: ")" is missing',
    'invalidFilter: "]" is missing',
    'invalidFilter: "userName" has no parts',
    'invalidFilter: it is nested deeper than 30',
    'invalidFilter: a filter has at most 4000 characters',
  ])
})

test('a search for one resource is recognized', () => {
  const text = (filter: string, name: string) => exactText(parseFilter(userSchema, filter), name)
  expect([
    text('userName eq "a"', 'userName'),
    text('externalId eq "a"', 'userName'),
    text('userName sw "a"', 'userName'),
    exactText(parseFilter(groupSchema, 'externalId eq "g"'), 'externalId'),
  ]).toEqual(['a', null, null, 'g'])
})
