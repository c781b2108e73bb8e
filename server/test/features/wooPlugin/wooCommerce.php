<?php
/** Stand-ins of WooCommerce. Namespaces have braces, so that one file can have several. */

namespace Automattic\WooCommerce\Utilities {
	class FeaturesUtil {
		public static function declare_compatibility( $feature, $file, $is_compatible ) {
			$GLOBALS['world']['declared'][ $feature ] = array( basename( $file ), $is_compatible );
		}
	}
}

namespace Automattic\WooCommerce\Admin\Notes {
	class Notes {
		public static function delete_notes_with_name( $name ) {
			unset( $GLOBALS['world']['notes'][ $name ] );
		}
	}
	class Note {
		private $fields = array();
		public function __call( $name, $given ) {
			$this->fields[ $name ] = $given;
		}
		public function save() {
			$GLOBALS['world']['notes'][ $this->fields['set_name'][0] ] = $this->fields['set_content'][0];
		}
	}
}

namespace {
	class WC_Data {
		protected $fields;
		public function __construct( $fields = array() ) {
			$this->fields = $fields;
		}
		/** Handles getters: `get_currency()` reads the field `currency`. A method that WooCommerce does not have fails. */
		public function __call( $name, $given ) {
			$field = substr( $name, 4 );
			if ( 0 !== strpos( $name, 'get_' ) || ! array_key_exists( $field, $this->fields ) ) {
				throw new Error( "There is no method $name of " . static::class );
			}
			return $this->fields[ $field ];
		}
		public function get_id() {
			return (int) $this->fields['id'];
		}
	}

	class WC_Order_Item_Product extends WC_Data {}

	class WC_Order extends WC_Data {
		public function get_date_paid() {
			return $this->fields['date_paid'] ? new DateTime( $this->fields['date_paid'] ) : null;
		}
		public function get_formatted_billing_full_name() {
			return trim( $this->fields['billing_first_name'] . ' ' . $this->fields['billing_last_name'] );
		}
		public function get_order_number() {
			return $this->fields['number'];
		}
		public function get_items() {
			return array_map( fn( $item ) => new WC_Order_Item_Product( $item ), $this->fields['items'] );
		}
		public function get_item_total( $item, $has_tax ) {
			return $has_tax ? round( ( $item->get_total() + $item->get_total_tax() ) / $item->get_quantity(), 2 ) : $item->get_total();
		}
		public function update_meta_data( $name, $value ) {
			if ( $this->fields['is_broken'] ?? false ) {
				throw new TypeError( 'Another plugin broke this order.' );
			}
			$GLOBALS['world']['orders'][ $this->get_id() ]['meta'][ $name ] = $value;
		}
		public function save() {
			$GLOBALS['world']['orders'][ $this->get_id() ]['is_saved'] = true;
		}
	}

	function wc_get_order( $id ) {
		$fields = $GLOBALS['world']['orders'][ (int) $id ] ?? null;
		return $fields ? new WC_Order( $fields ) : false;
	}

	class WC_Data_Store {
		public static function load( $name ) {
			return new self();
		}
		public function search_webhooks( $query ) {
			return array_keys( $GLOBALS['world']['webhooks'] );
		}
	}

	function wc_get_orders( $query ) {
		$since = (int) substr( $query['date_modified'], 2 );
		$found = array_filter( $GLOBALS['world']['orders'], fn( $order ) => ( $order['modified'] ?? 0 ) >= $since );
		return array_keys( $found );
	}

	class WC_Session {
		public function get( $name ) {
			return $GLOBALS['world']['session'][ $name ] ?? null;
		}
		public function set( $name, $value ) {
			$GLOBALS['world']['session'][ $name ] = $value;
		}
		public function has_session() {
			return $GLOBALS['world']['session']['has_cookie'] ?? false;
		}
		public function set_customer_session_cookie( $is_set ) {
			$this->set( 'has_cookie', $is_set );
		}
	}

	/** The queue of Action Scheduler, which only has deliveries. */
	class WC_Queue {
		public function get_next( $hook, $delivery, $group ) {
			return in_array( $delivery, $GLOBALS['world']['queue'], true ) ? new DateTime() : null;
		}
		public function add( $hook, $delivery, $group ) {
			$GLOBALS['world']['queue'][] = $delivery;
		}
		public function search( $query ) {
			return array_map( fn( $delivery ) => new WC_Action( $delivery ), $GLOBALS['world']['queue'] );
		}
		public function cancel( $hook, $delivery, $group ) {
			$GLOBALS['world']['queue'] = array_values( array_filter( $GLOBALS['world']['queue'], fn( $each ) => $each !== $delivery ) );
		}
	}
	class WC_Action {
		private $delivery;
		public function __construct( $delivery ) {
			$this->delivery = $delivery;
		}
		public function get_args() {
			return $this->delivery;
		}
	}

	function WC() {
		return new class() {
			public $session;
			public function __construct() {
				$this->session = new WC_Session();
			}
			public function queue() {
				return new WC_Queue();
			}
		};
	}

	class WC_Webhook extends WC_Data {
		public function __construct( $id = 0 ) {
			$new = array( 'id' => 0, 'user_id' => 0, 'failure_count' => 0 );
			parent::__construct( $GLOBALS['world']['webhooks'][ $id ] ?? $new );
		}
		public function __call( $name, $given ) {
			if ( 0 !== strpos( $name, 'set_' ) ) {
				return parent::__call( $name, $given );
			}
			$fields = array( 'name', 'topic', 'delivery_url', 'secret', 'api_version', 'user_id', 'failure_count', 'pending_delivery', 'status' );
			if ( ! in_array( substr( $name, 4 ), $fields, true ) ) {
				throw new Error( "There is no method $name of WC_Webhook" );
			}
			$this->fields[ substr( $name, 4 ) ] = $given[0];
		}
		public function save() {
			$this->fields['id']                             = $this->get_id() ?: 1 + (int) max( array( 0, ...array_keys( $GLOBALS['world']['webhooks'] ) ) );
			$is_new                                         = ! isset( $GLOBALS['world']['webhooks'][ $this->get_id() ] );
			$GLOBALS['world']['webhooks'][ $this->get_id() ] = $this->fields;
			if ( $is_new ) {
				do_action( 'woocommerce_new_webhook', $this->get_id(), $this );
			}
		}
		public function delete( $is_forced ) {
			unset( $GLOBALS['world']['webhooks'][ $this->get_id() ] );
		}
		public function deliver( $order_id ) {
			$response = wp_safe_remote_post( $this->get_delivery_url(), array( 'body' => (string) $order_id ) );
			if ( 200 !== wp_remote_retrieve_response_code( $response ) ) {
				$this->fields['failure_count']++;
			}
			do_action( 'woocommerce_webhook_delivery', array(), $response, 0.1, $order_id, $this->get_id() );
		}
		/** Signs as WooCommerce does. */
		public function generate_signature( $payload ) {
			return base64_encode( hash_hmac( 'sha256', $payload, htmlspecialchars_decode( $this->get_secret(), ENT_QUOTES ), true ) );
		}
	}

	function wc_get_webhook( $id ) {
		$webhook = new WC_Webhook( $id );
		return 0 !== $webhook->get_id() ? $webhook : null;
	}

	// A step of the tests that signs a body as the webhook does.
	add_action( 'sign', function ( $id, $body ) {
		echo wc_get_webhook( $id )->generate_signature( $body );
	}, 10, 2 );
	// A step of the tests that delivers the queue, as WP-Cron does.
	add_action( 'drain', function () {
		foreach ( $GLOBALS['world']['queue'] as $delivery ) {
			$webhook = wc_get_webhook( $delivery['webhook_id'] );
			if ( $webhook ) {
				$webhook->deliver( $delivery['arg'] );
			}
		}
		$GLOBALS['world']['queue'] = array();
	} );
}
