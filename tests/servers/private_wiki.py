"""A real MediaWiki that shows its pages to members only.

::

    with PrivateMediaWiki(directory) as wiki:
        wiki.add_account("Reader", "a password")
        password = wiki.add_bot_password("Reader", "crawler")
        ...crawl as Reader@crawler with that password...
        assert len(wiki.log_ins()) == 1
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.servers import mediawiki_build as build
from tests.servers.mediawiki import RealMediaWiki

if TYPE_CHECKING:
    from tests.servers.mediawiki_log import LogEntry

_PRIVATE = (
    "$wgGroupPermissions['*']['read'] = false; $wgGroupPermissions['user']['read'] = true;"
    "$wgPasswordAttemptThrottle = []; $wgRateLimits = [];"
)
_NOTE_COOKIES = """
    file_put_contents( getenv( 'WIKI_DATA' ) . '/run/cookies',
        json_encode( array_values( $_COOKIE ) ) . "\\n", FILE_APPEND | LOCK_EX );
"""
_END_AFTER = """
    $ended = getenv( 'WIKI_DATA' ) . '/run/answers';
    $shown = strpos( $_SERVER['REQUEST_URI'], '/wiki/' ) === 0;
    if ( $shown || ( $_GET['action'] ?? '' ) === 'parse' ) {
        file_put_contents( $ended, 'x', FILE_APPEND | LOCK_EX );
        clearstatcache();
    }
    if ( @filesize( $ended ) >= %d ) { $wgAuthenticationTokenVersion = 'after'; }
"""
_REDIRECT = """
    $wgHooks['BeforeInitialize'][] = static function ( $title, $unused, $output, $user ) {
        if ( $user->isAnon() && $title && !$title->isSpecialPage() ) {
            $login = SpecialPage::getTitleFor( 'UserLogin' )->getFullURL();
            header( "Location: $login", true, 302 );
            exit;
        }
    };
"""


class PrivateMediaWiki(RealMediaWiki):
    """Debian's MediaWiki with ``$wgGroupPermissions['*']['read'] = false``."""

    def reset(self) -> None:
        """All switches off; it stays private."""
        super().reset()
        for name in ("answers", "cookies"):
            (self._data / "run" / name).unlink(missing_ok=True)
        self.php("")

    def php(self, code: str) -> None:
        super().php(_PRIVATE + _NOTE_COOKIES + code)

    def add_account(self, name: str, password: str) -> None:
        """Create the account *name*, or change its password."""
        self._maintain("createAndPromote", "--force", name, password)

    def add_bot_password(self, user: str, bot: str, password: str) -> None:
        """Let *user* log in as ``user@bot`` with *password*, of 32 characters at least."""
        self._maintain("createBotPassword", "--appid", bot, "--grants", "basic", user, password)

    def end_sessions(self) -> None:
        """Log everybody out."""
        self.php("$wgAuthenticationTokenVersion = 'now';")

    def end_sessions_after(self, pages: int, *, redirect: bool = False) -> None:
        """Log everybody out when *pages* pages have been asked for.

        :param redirect: redirect pages to the log-in page, instead of saying that one has to log in
        """
        self.php(_END_AFTER % pages + (_REDIRECT if redirect else ""))

    def log_ins(self) -> list[LogEntry]:
        """The requests that sent a password."""
        return [entry for entry in self.access_log() if entry.method == "POST"]

    def cookies(self) -> set[str]:
        """The values of the cookies that were received, without short ones, as the user's name."""
        file = self._data / "run" / "cookies"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        return {value for line in lines for value in json.loads(line) if len(value) > 15}

    def _maintain(self, script: str, *arguments: str) -> None:
        env = build.environment(self._data, self.url, self._script_path)
        build._run(script, *arguments, env=env)
