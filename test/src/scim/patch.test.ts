import { expect, test } from 'bun:test'
import { selected } from '../../../src/scim/answer.ts'
import { ScimFailure } from '../../../src/scim/failure.ts'
import { patchResource } from '../../../src/scim/patch.ts'
import { addressOfUser, groupSchema, readResource, userSchema } from '../../../src/scim/resource.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const before: JsonObject = {
  userName: 'ann@example.com',
  active: true,
  name: { givenName: 'Ann', familyName: 'Lee' },
  emails: [{ value: 'ann@example.com', type: 'work', primary: true }],
}
const patch = (...Operations: object[]): JsonObject => patchResource(userSchema, before, { Operations })
const group: JsonObject = { displayName: 'A', members: [{ value: '1' }, { value: '2' }, { value: '3' }] }
const patchGroup = (...Operations: object[]) => patchResource(groupSchema, group, { Operations })['members']

test('a resource is kept in the spelling of the schema; what is not kept is left out', () => {
  expect(
    readResource(userSchema, {
      schemas: [enterprise],
      id: 'chosen',
      USERNAME: 'ann',
      Active: 'False',
      password: 'secret',
      emails: 'ann@example.com',
      name: { FAMILYNAME: 'Lee', shoe: 1 },
      [enterprise.toLowerCase()]: { department: 'R&D', manager: 'm1' },
    }),
  ).toEqual({
    userName: 'ann',
    active: false,
    emails: [{ value: 'ann@example.com' }],
    name: { familyName: 'Lee' },
    [enterprise]: { department: 'R&D', manager: { value: 'm1' } },
  })
  expect([
    addressOfUser({ userName: 'Ann@Example.com' }),
    addressOfUser({ userName: 'ann', emails: [{ value: 'a@x.example' }, { value: 'B@x.example', primary: true }] }),
    addressOfUser({ userName: 'ann' }),
  ]).toEqual(['ann@example.com', 'b@x.example', null])
})

test('what Entra ID sends: booleans as text, paths with filters, names of attributes as keys', () => {
  expect(patch({ op: 'Replace', path: 'active', value: 'False' })['active']).toBe(false)
  expect(patch({ op: 'Replace', value: { active: 'False', 'name.givenName': 'Anna' } })).toEqual({
    ...before,
    active: false,
    name: { givenName: 'Anna', familyName: 'Lee' },
  })
  expect(patch({ op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@example.com' })['emails']).toEqual([
    { value: 'new@example.com', type: 'work', primary: true },
  ])
  expect(patch({ op: 'Add', path: 'emails[type eq "home"].value', value: 'h@example.com' })['emails']).toEqual([
    { value: 'ann@example.com', type: 'work', primary: true },
    { type: 'home', value: 'h@example.com' },
  ])
  expect(patch({ op: 'Add', path: `${enterprise}:department`, value: 'R&D' })[enterprise]).toEqual({
    department: 'R&D',
  })
  expect(patch({ op: 'add', value: { [enterprise]: { costCenter: '7' } } })[enterprise]).toEqual({ costCenter: '7' })
  expect(patchGroup({ op: 'Remove', path: 'members', value: [{ value: '2' }] })).toEqual([
    { value: '1' },
    { value: '3' },
  ])
})

test('what Okta sends: replacing without a path, and members by filter', () => {
  expect(patch({ op: 'replace', value: { active: false } })['active']).toBe(false)
  expect(patchGroup({ op: 'remove', path: 'members[value eq "2"]' })).toEqual([{ value: '1' }, { value: '3' }])
  expect(patchGroup({ op: 'add', path: 'members', value: [{ value: '4', display: 'd' }, { value: '1' }] })).toEqual([
    { value: '1' },
    { value: '2' },
    { value: '3' },
    { value: '4', display: 'd' },
  ])
  expect(patchGroup({ op: 'replace', path: 'members', value: [{ value: '9' }] })).toEqual([{ value: '9' }])
  expect(patchGroup({ op: 'remove', path: 'members' })).toBe(undefined)
  expect(
    patchResource(groupSchema, group, { Operations: [{ op: 'replace', value: { id: 'g', displayName: 'B' } }] }),
  ).toEqual({
    ...group,
    displayName: 'B',
  })
})

test('parts, one main address, and attributes that are not kept', () => {
  expect(patch({ op: 'remove', path: 'name.givenName' })['name']).toEqual({ familyName: 'Lee' })
  expect(patch({ op: 'add', path: 'name', value: { givenName: 'X' } })['name']).toEqual({
    givenName: 'X',
    familyName: 'Lee',
  })
  expect(patch({ op: 'replace', path: 'name', value: { givenName: 'X' } })['name']).toEqual({ givenName: 'X' })
  expect(patch({ op: 'add', path: 'emails', value: [{ value: 'b@example.com', primary: true }] })['emails']).toEqual([
    { value: 'ann@example.com', type: 'work', primary: false },
    { value: 'b@example.com', primary: true },
  ])
  expect(
    patch({ op: 'add', path: 'roles[primary eq "True"].value', value: 'x' }, { op: 'replace', path: 'id', value: 'x' }),
  ).toEqual(before)
  expect(before['emails']).toEqual([{ value: 'ann@example.com', type: 'work', primary: true }])
})

test('what cannot be done says why', () => {
  const reason = (work: () => unknown): string => {
    try {
      return JSON.stringify(work())
    } catch (error) {
      return error instanceof ScimFailure ? `${error.scimType}: ${error.message}` : String(error)
    }
  }
  expect([
    reason(() => patch()),
    reason(() => patchResource(userSchema, before, [])),
    reason(() => patch({ op: 'move', path: 'active' })),
    reason(() => patch({ op: 'remove' })),
    reason(() => patch({ op: 'remove', path: 'userName' })),
    reason(() => patch({ op: 'remove', path: 'groups' })),
    reason(() => patch({ op: 'replace', path: 'active', value: 'perhaps' })),
    reason(() => patch({ op: 'replace', path: 'emails[type is "x"].value', value: 'x' })),
    reason(() => patch({ op: 'replace', path: 'active' })),
    reason(() => patch({ op: 'replace', path: 'userName', value: '' })),
    reason(() => patch({ op: 'replace', value: 'x' })),
    reason(() => readResource(userSchema, {})),
    reason(() => readResource(groupSchema, 'x')),
  ]).toEqual([
    'invalidSyntax: Operations must be a list with at least one operation',
    'invalidSyntax: Operations must be a list with at least one operation',
    'invalidSyntax: "move" is no operation; it is add, remove or replace',
    'noTarget: a removal needs a path',
    'mutability: "userName" is required',
    'mutability: "groups" cannot be removed',
    'invalidValue: "active" must be true or false',
    'invalidFilter: "is" is no operator; it is one of eq, ne, co, sw, ew, gt, ge, lt, le, pr',
    'invalidValue: "active" needs a value',
    'invalidValue: "userName" is required',
    'invalidValue: without a path the value must be an object',
    'invalidValue: "userName" is required',
    'invalidSyntax: the resource must be an object',
  ])
})

test('attributes that are asked for, and those that are not', () => {
  const resource = { schemas: ['s'], id: '1', ...before, [enterprise]: { department: 'R&D', division: 'D' } }
  expect(selected(userSchema, resource, { attributes: 'username,name.givenname,emails.value' })).toEqual({
    schemas: ['s'],
    id: '1',
    userName: 'ann@example.com',
    name: { givenName: 'Ann' },
    emails: [{ value: 'ann@example.com' }],
  })
  expect(selected(userSchema, resource, { attributes: `${enterprise}:department` })).toEqual({
    schemas: ['s'],
    id: '1',
    [enterprise]: { department: 'R&D' },
  })
  expect(selected(userSchema, resource, { excludedAttributes: `id,emails,name.familyName,${enterprise}` })).toEqual({
    schemas: ['s'],
    id: '1',
    userName: 'ann@example.com',
    active: true,
    name: { givenName: 'Ann' },
  })
})
