create function "queue_object_removal"() returns trigger language plpgsql as $$
begin
  if old."object" is not null and (tg_op = 'DELETE' or new."object" is distinct from old."object") then
    insert into "object_removals" ("tenant_id", "kind", "sha256", "queued_at") values (old."tenant_id", tg_argv[0], old."object", clock_timestamp())
    on conflict ("tenant_id", "kind", "sha256") do update set "queued_at" = excluded."queued_at" where "object_removals"."removed_at" is null;
  end if;
  return null;
end
$$;
create trigger "contents_object_left" after delete or update of "object" on "contents" for each row execute function "queue_object_removal"('contents');
create trigger "renderings_object_left" after delete or update of "object" on "renderings" for each row execute function "queue_object_removal"('renderings');
create trigger "import_uploads_object_left" after delete or update of "object" on "import_uploads" for each row execute function "queue_object_removal"('uploads');
