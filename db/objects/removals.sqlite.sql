create trigger "contents_object_deleted" after delete on "contents" when old."object" is not null begin
  insert into "object_removals" ("tenant_id", "kind", "sha256", "queued_at")
  values (old."tenant_id", 'contents', old."object", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  on conflict ("tenant_id", "kind", "sha256") do update set "queued_at" = excluded."queued_at" where "removed_at" is null;
end;
create trigger "contents_object_changed" after update of "object" on "contents" when old."object" is not null and old."object" is not new."object" begin
  insert into "object_removals" ("tenant_id", "kind", "sha256", "queued_at")
  values (old."tenant_id", 'contents', old."object", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  on conflict ("tenant_id", "kind", "sha256") do update set "queued_at" = excluded."queued_at" where "removed_at" is null;
end;
create trigger "renderings_object_deleted" after delete on "renderings" when old."object" is not null begin
  insert into "object_removals" ("tenant_id", "kind", "sha256", "queued_at")
  values (old."tenant_id", 'renderings', old."object", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  on conflict ("tenant_id", "kind", "sha256") do update set "queued_at" = excluded."queued_at" where "removed_at" is null;
end;
create trigger "renderings_object_changed" after update of "object" on "renderings" when old."object" is not null and old."object" is not new."object" begin
  insert into "object_removals" ("tenant_id", "kind", "sha256", "queued_at")
  values (old."tenant_id", 'renderings', old."object", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  on conflict ("tenant_id", "kind", "sha256") do update set "queued_at" = excluded."queued_at" where "removed_at" is null;
end;
create trigger "import_uploads_object_deleted" after delete on "import_uploads" when old."object" is not null begin
  insert into "object_removals" ("tenant_id", "kind", "sha256", "queued_at")
  values (old."tenant_id", 'uploads', old."object", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  on conflict ("tenant_id", "kind", "sha256") do update set "queued_at" = excluded."queued_at" where "removed_at" is null;
end;
create trigger "import_uploads_object_changed" after update of "object" on "import_uploads" when old."object" is not null and old."object" is not new."object" begin
  insert into "object_removals" ("tenant_id", "kind", "sha256", "queued_at")
  values (old."tenant_id", 'uploads', old."object", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  on conflict ("tenant_id", "kind", "sha256") do update set "queued_at" = excluded."queued_at" where "removed_at" is null;
end;
