create function "mark_project_summary"() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update "projects" set "summary_generation" = 0 where "id" = old."project_id";
  end if;
  if tg_op <> 'DELETE' then
    update "projects" set "summary_generation" = 0 where "id" = new."project_id";
  end if;
  return null;
end
$$;
create trigger "versions_summary" after insert or delete on "versions" for each row execute function "mark_project_summary"();
create trigger "versions_updated_summary" after update on "versions" for each row
when ((old."project_id", old."label", old."status", old."visibility", old."grade", old."format", old."created_at")
  is distinct from (new."project_id", new."label", new."status", new."visibility", new."grade", new."format", new."created_at"))
execute function "mark_project_summary"();
create function "mark_renamed_project_summary"() returns trigger language plpgsql as $$
begin
  update "projects" set "summary_generation" = 0 where "id" = new."id";
  return null;
end
$$;
create trigger "projects_renamed_summary" after update on "projects" for each row
when (old."name" <> new."name") execute function "mark_renamed_project_summary"();
